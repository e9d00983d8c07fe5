#pragma once

/// How many test cases may run at once.
int snippet_test_width(void);
