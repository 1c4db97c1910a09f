"""What follows from the fields of a student. The type of reports/grades/record.py inherits it."""

UNDECIDED = ("FAILED", "PENDING")  # statuses that give no points, which is not the same as 0 points


class StudentFacts:
    @property
    def has_points(self) -> bool:
        return self.status not in UNDECIDED

    @property
    def visible(self) -> tuple:
        """The awards that the student may see."""
        return tuple(award for award in self.rules if not award.hidden)

    @property
    def hidden(self) -> tuple:
        return tuple(award for award in self.rules if award.hidden)
