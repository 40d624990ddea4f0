# The course in JupyterLab, for one person; nothing of the image is secret, and it runs without a network.
#   docker build -t lmcourse . && docker run --rm -p 127.0.0.1:8888:8888 -v lmcourse:/home/learner lmcourse
# Open the address that it prints. Your work is in the volume `lmcourse`. (A class on a cluster: examples/kubernetes.)
# No Docker engine was at hand: `python -m tools.container` runs these lines in a folder (docs/running-elsewhere.md).
FROM python:3.12-slim
COPY . /opt/lmcourse
RUN PIP_NO_CACHE_DIR=1 python3 /opt/lmcourse/tools/set_up.py --venv /opt/venv
RUN useradd --create-home --uid 1000 learner
ENV PATH=/opt/venv/bin:$PATH
USER learner
WORKDIR /home/learner
RUN lmcourse data fetch --optional shakespeare
EXPOSE 8888
HEALTHCHECK --start-period=30s CMD python -c "import urllib.request as r; r.urlopen('http://localhost:8888/api')"
CMD lmcourse lab course --no-start && exec jupyter lab --ip=0.0.0.0 --no-browser --ServerApp.root_dir=course
