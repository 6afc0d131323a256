/** Colour as a function: only a command knows what its stdout is. */
export type Style = 'bold' | 'dim' | 'red' | 'yellow' | 'green' | 'cyan';
export type Paint = (style: Style, text: string) => string;
