"""The numbers: one literal, versioned table a policy. A released table is never edited; a change is a new version."""
