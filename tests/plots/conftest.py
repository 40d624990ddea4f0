import matplotlib.pyplot as plt
import pytest


@pytest.fixture(autouse=True)
def _clean_slate():
    with plt.rc_context():
        yield
    plt.close("all")
