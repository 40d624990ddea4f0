"""The exercises of the course: a package a chapter, which states their order, and in it a module an exercise."""
