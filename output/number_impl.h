/* Numbers as text, always with a decimal point, whatever locale the program has set. */
#ifndef FREEPLAY_OUTPUT_NUMBER_IMPL_H
#define FREEPLAY_OUTPUT_NUMBER_IMPL_H

#define FREEPLAY_NUMBER_SIZE 32

/* The shortest of 15, 16 or 17 digits that reads back to the same bits; "nan", "inf", "-inf".
 * Returns the length. */
int fp_number_exact(double x, char text[FREEPLAY_NUMBER_SIZE]);

/* For people: x to `digits` significant digits. */
void fp_number_rounded(double x, int digits, char text[FREEPLAY_NUMBER_SIZE]);

/* For axes: x with `decimals` digits after the point; x of moderate size. */
void fp_number_fixed(double x, int decimals, char text[FREEPLAY_NUMBER_SIZE]);

#endif
