"""Files: ARCADE_HOME, reading that trusts no file, and writing that survives kills, full disks and other processes."""

from agents.files.changing import changing_toml, locked, merged
from agents.files.folders import cache, folder, home
from agents.files.names import safe_name
from agents.files.reading import (
    FileError,
    FileWarning,
    load_toml,
    parse_json,
    parse_toml,
    read_file,
    read_json,
    read_toml,
    set_aside,
)
from agents.files.writing import (
    PART,
    ChangesFile,
    NewestWriter,
    begin_folder,
    finish_folder,
    flush,
    remove_unfinished,
    replace_file,
    replacing,
    write_folder,
)

__all__ = [
    "PART", "ChangesFile", "FileError", "FileWarning", "NewestWriter", "begin_folder", "cache", "changing_toml",
    "finish_folder", "flush", "folder", "home", "load_toml", "locked", "merged", "parse_json", "parse_toml",
    "read_file", "read_json", "read_toml", "remove_unfinished", "replace_file", "replacing", "safe_name", "set_aside",
    "write_folder",
]  # fmt: skip
