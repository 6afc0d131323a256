/** The column of a scratch table that holds the number of the version. */
export const NUMBER_COLUMN = 'iso_n';
