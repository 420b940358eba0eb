"""The list of games, sorted and searched by keys."""

import pygame

from arcade.scenes import routes
from arcade.scenes.home.select import SelectScene
from tests.support.hands import press


def test_left_and_right_sort_the_list_and_tab_goes_through_its_groups(sit) -> None:
    sitting = sit()
    sitting.until(lambda: sitting.services.ready, "the catalogue")
    scene = SelectScene(sitting.services, routes.Games())
    sitting.engine.push(scene)
    assert scene.spec.id == "house/volley"
    press(sitting, pygame.K_RIGHT)
    details = [item.detail for item in scene._list.items]
    assert details[:1] == ["1 player"]
    assert details == sorted(details, key=lambda words: int(words.split()[0]))
    assert scene.spec.id == "house/volley"
    press(sitting, pygame.K_TAB)
    assert scene.spec.seats == 3
    press(sitting, pygame.K_LEFT)
    assert [item.detail for item in scene._list.items][:2] == ["house", "house"]
    press(sitting, pygame.K_LEFT)
    assert scene._list.items[0].detail == "one against one"
