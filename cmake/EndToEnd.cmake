# Tests in Python: each tests/test_*.py is one ctest test, end_to_end.NAME, and the report's own are report.pytest.
# They find the programs under test through HARNESS_BUILD. bin/test makes the environment that they run in.
# All but end_to_end.run and end_to_end.glossary have the label "slow", which bin/test --quick leaves out.
set(pytest ${CMAKE_SOURCE_DIR}/.venv/bin/python -B -m pytest -p no:cacheprovider -q -rs)  # -rs: why a test was skipped

file(GLOB python_tests CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/test_*.py)
if(HARNESS_SANITIZE)
  # They build an unsanitized clone of their own: nothing new to learn here, and minutes to lose.
  list(FILTER python_tests EXCLUDE REGEX "/test_launchers\\.py$")
endif()
foreach(file ${python_tests})
  get_filename_component(name ${file} NAME_WE)
  string(REPLACE test_ "" name ${name})
  add_test(NAME end_to_end.${name} COMMAND ${pytest} ${file} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  list(APPEND names end_to_end.${name})
endforeach()

add_test(NAME report.pytest COMMAND ${pytest} reports WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
set_tests_properties(${names} report.pytest PROPERTIES TIMEOUT 1800 LABELS slow ENVIRONMENT "HARNESS_BUILD=${CMAKE_BINARY_DIR}")
set_tests_properties(end_to_end.run end_to_end.glossary PROPERTIES LABELS "")
# Some attacks of the corpus only their times give away, and a busy machine cannot verify those: they run alone. So do races
# of threads, which do not run at the same time on a busy machine.
set_tests_properties(end_to_end.evil end_to_end.sanitize PROPERTIES RUN_SERIAL TRUE)
# ctest starts the tests with the highest cost first, so that none of the long ones runs alone at the end.
set_tests_properties(end_to_end.corpus end_to_end.hip end_to_end.containers end_to_end.faults end_to_end.run PROPERTIES COST 100)
set_tests_properties(end_to_end.trust report.pytest PROPERTIES COST 90)
