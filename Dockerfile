# Headless: evaluation, tournaments, training and policy servers.  The window needs a display of the host's.
FROM python:3.11-slim
RUN apt-get update \
    && apt-get install -y --no-install-recommends gnugo stockfish \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /opt/arcade
COPY . .
RUN pip install --no-cache-dir --constraint constraints.txt '.[data,train]'
RUN useradd --create-home player
USER player
ENV ARCADE_HOME=/home/player/arcade SDL_VIDEODRIVER=dummy SDL_AUDIODRIVER=dummy
VOLUME /home/player/arcade
ENTRYPOINT ["pettingzoo-arcade"]
CMD ["doctor"]
