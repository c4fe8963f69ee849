/* Numbers for people. */
#ifndef FREEPLAY_CLI_TEXT_H
#define FREEPLAY_CLI_TEXT_H

#define CLI_TEXT_SIZE 48

/* Returned by value, so that several fit into one printf. */
typedef struct CliText {
    char text[CLI_TEXT_SIZE];
} CliText;

/* A quantity in a unit of readable size: 0.00025 "s" is "250 us". For units without a prefix. */
CliText cli_text_quantity(double value, const char* unit);
/* A duration: "31 us", "250 ms", "12.3 s", "2 min 5 s", "3 h 20 min". */
CliText cli_text_duration(double seconds);
/* A dimensionless measure that is 0 or tiny: "2.1e-12". */
CliText cli_text_residual(double value);

#endif
