/** Documentation of a directive. A test compares these texts with the generated directives page. */
export interface PromptDirective {
  word: string;
  capability: 'video, image' | 'image' | 'text' | 'speech' | 'realtime' | 'batch';
  /** The vendor calls that the directive affects. */
  call: string;
  times: string;
  effect: string;
  /** How a Sluice task with this directive ends. */
  ending: string;
}

/** Checks whether the text contains the directive. Case-insensitive. */
export function hasWord(text: string, { word }: PromptDirective): boolean {
  return text.toLowerCase().includes(word);
}

const DECIMAL = String.raw`\d{1,6}(?:\.\d{1,3})?`;

/** Returns the number N of a directive `[name:N]`. */
export function numberIn(text: string, name: string, digits = DECIMAL): number | undefined {
  const number = new RegExp(String.raw`\[${name}:(${digits})\]`, 'i').exec(text)?.[1];
  return number === undefined ? undefined : Number(number);
}
