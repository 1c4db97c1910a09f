#include "harness/grade/grades.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "harness/grade/tables.h"

namespace harness {
namespace {

Grades small_grades() {
  Grades grades;
  grades.grading = {"lab5", "A lab", "a.yaml", "v1", "i1", "2026-11-23T09:00:00Z", "", {"0.1.0", "abc", false}};
  grades.of = 20;
  grades.rules = {{"right", "correct", "cpu_avx", "", 20, false}};
  StudentGrade anna;
  anna.id = "anna";
  anna.name = "=Anna, \"A\"";
  anna.status = StudentStatus::GRADED;
  anna.files.graded = {"cpu_avx.cpp"};
  anna.marks = {{"report", 3}};
  anna.factor = 0.8;
  set_points(anna, {12.5, 20, 0, {{"right", "correct", false, 12.5, 20, 0, "why", "next", {"a/b"}}}});
  StudentGrade ben = anna;
  ben.id = ben.name = "ben";
  ben.status = StudentStatus::FAILED;
  ben.reason = "no space";
  grades.students = {anna, ben};
  return grades;
}

TEST(Grades, ReadBackAsTheyWereWritten) {
  const TemporaryFolder folder;
  const Grades grades = small_grades();
  ASSERT_TRUE(write_grades(folder.path(), grades));
  const auto back = read_grades(folder.path() / "grades.json");
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(to_json(**back), to_json(grades));
}

TEST(Grades, OfAnotherVersionOrDamaged) {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "grades.json";
  EXPECT_FALSE(*read_grades(file));
  ASSERT_TRUE(write_file(file, R"({"schema": "harness-grade/9"})"));
  EXPECT_EQ(read_grades(file).error().message,
            file.string() +
                ": is of version \"harness-grade/9\", and this harness reads harness-grade/1; use the harness "
                "that wrote it, or move the file away");
  for (const auto& [text, position] :
       {std::pair("", ":1:1"), {"{\n  \"schema\": 1,\n}", ":3:1"}, {"[]", ""}, {R"({"schema": 1})", ""},
        {R"({"schema": "harness-grade/1", "students": 3})", ""}}) {
    ASSERT_TRUE(write_file(file, text));
    EXPECT_EQ(read_grades(file).error().message,
              file.string() + position +
                  ": is damaged or no file of grades; move it away and grade again: finished cases are kept");
  }
}

TEST(Grades, StudentsThatTheRosterWouldRefuse) {
  const TemporaryFolder folder;
  const auto error = [&](auto edit) {
    Grades grades = small_grades();
    edit(grades.students);
    EXPECT_TRUE(write_grades(folder.path(), grades));
    const auto read = read_grades(folder.path() / "grades.json");
    return read ? "ok" : read.error().message.substr(folder.path().string().size() + 1);
  };
  const std::string way_out = "; correct it, or move the file away and grade again: finished cases are kept";
  EXPECT_EQ(error([](auto& students) { students[1].factor = -2; }),
            "grades.json: student \"ben\": the factor -2 is not between 0 and 1" + way_out);
  EXPECT_EQ(error([](auto& students) { students[0].factor = 1e300; }),
            "grades.json: student \"anna\": the factor 1e+300 is not between 0 and 1" + way_out);
  EXPECT_EQ(error([](auto& students) { students.push_back(students[0]); }),
            "grades.json: the student \"anna\" is in it twice" + way_out);
  EXPECT_EQ(error([](auto& students) { students[0].factor = 0, students[1].factor = 1; }), "ok");
}

class Tables : public ::testing::Test {
 protected:
  std::string roster_error(const std::string& text) {
    EXPECT_TRUE(write_file(file(), text));
    const auto rows = read_roster(file());
    return rows ? "ok" : rows.error().message.substr(folder_.path().string().size() + 1);
  }
  std::string marks_error(const std::string& text) {
    EXPECT_TRUE(write_file(file(), text));
    GradeRules grade;
    grade.rules.resize(2);
    grade.rules[0].name = "report";
    grade.rules[0].kind = "manual";
    grade.rules[0].points = 10;
    grade.rules[1].name = "fast";
    grade.rules[1].kind = "speed";
    const auto marks = read_marks(file(), grade);
    return marks ? "ok" : marks.error().message.substr(folder_.path().string().size() + 1);
  }
  std::string file() const { return (folder_.path() / "t.csv").string(); }
  TemporaryFolder folder_;
};

TEST_F(Tables, Roster) {
  EXPECT_EQ(roster_error("id,name,submission\na,Anna,anna_1\nb,Anna,b\n"), "ok") << "two students may share a name";
  EXPECT_EQ(roster_error("id,name\na,Anna\nb,Ben\na,Anna\n"), "t.csv:4: the id \"a\" is on line 2 already");
  EXPECT_EQ(roster_error("name\nAnna\n"), "t.csv:1: no column \"id\"");
  EXPECT_EQ(roster_error("id,nme\na,Anna\n"), "t.csv:1: unknown column \"nme\" (did you mean \"name\"?)");
  EXPECT_EQ(roster_error("id,name\n,Anna\n"), "t.csv:2: the column \"id\" is empty");
  EXPECT_EQ(roster_error("id,factor\na,0.9\nb,\n"), "ok");
  EXPECT_EQ(roster_error("id,factor\na,90\n"), "t.csv:2: the factor 90 is not between 0 and 1");
  EXPECT_EQ(roster_error("id,submitted,deadline,extension\na,2026-11-20T23:59+01:00,2026-11-20T22:59:30Z,48h\nb,,,\n"),
            "ok");
  EXPECT_EQ(roster_error("id,submitted\na,2026-11-20T23:59\n"),
            "t.csv:2: \"2026-11-20T23:59\" in column \"submitted\" is not a time such as 2026-11-20T23:59+01:00")
      << "of which time zone?";
  EXPECT_EQ(roster_error("id,deadline\na,2026-02-30T10:00Z\n"),
            "t.csv:2: \"2026-02-30T10:00Z\" in column \"deadline\" is not a time such as 2026-11-20T23:59+01:00");
  EXPECT_EQ(roster_error("id,extension\na,long\n"),
            "t.csv:2: \"long\" in column \"extension\" is not a time such as 48h");
  EXPECT_EQ(roster_error("id\n"), "t.csv: has no students");
  EXPECT_EQ(roster_error("id,submission\na,x\nb,x\n"), "t.csv:3: \"a\" and \"b\" have the same submission \"x\"");
}

TEST_F(Tables, TextThatIsNotUtf8) {
  EXPECT_EQ(roster_error("id,name\na,Anna\nb,M\xfcller\n"), "t.csv:3: not UTF-8 text; save the file as UTF-8");
  EXPECT_EQ(roster_error(std::string("i\0d\0", 4)), "t.csv:1: not UTF-8 text; save the file as UTF-8") << "UTF-16";
}

TEST_F(Tables, FieldsMayBeInQuotes) {
  ASSERT_TRUE(write_file(file(), "id,\"name\"\na, \"Müller, \"\"Anna\"\"\" \n\"b\",\"\"\n"));
  const auto rows = read_roster(file());
  ASSERT_TRUE(rows) << rows.error().message;
  EXPECT_EQ(rows->at(0).name, "Müller, \"Anna\"");
  EXPECT_EQ(rows->at(1).id, "b");
  EXPECT_EQ(rows->at(1).name, "b") << "an empty name is the id";
  for (const char* wrong : {"a,\"Anna", "a,\"Anna\"x", "a,An\"na", "a,\"Anna\"\"", "\""})
    EXPECT_EQ(roster_error(std::string("id,name\n") + wrong),
              "t.csv:2: a quote that is not closed, or is inside a field; write a quote in a quoted field twice")
        << wrong;
}

TEST_F(Tables, Marks) {
  EXPECT_EQ(marks_error("id,report\na,7.5\nb,\n"), "ok");
  EXPECT_EQ(marks_error("id,report\na,11\n"), "t.csv:2: 11 points for \"report\", which gives from 0 to 10");
  EXPECT_EQ(marks_error("id,report\na,good\n"), "t.csv:2: \"good\" in column \"report\" is not a number");
  EXPECT_EQ(marks_error("id,fast\na,1\n"), "t.csv:2: 1 points for \"fast\", which gives from 0 to 0")
      << "a person may decide about any rule";
  EXPECT_EQ(marks_error("id,fats\na,1\n"), "t.csv:1: no rule has the name \"fats\" (did you mean \"fast\"?)");
}

}  // namespace
}  // namespace harness
