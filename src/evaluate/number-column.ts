/** The column of a scratch table that holds the version's number. */
export const NUMBER_COLUMN = 'iso_n';
