import pytest

from reports.grades.tests.made import write_class


@pytest.fixture
def pupils(tmp_path):
    return write_class(tmp_path)
