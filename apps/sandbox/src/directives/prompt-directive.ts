/** Effects of a directive in a prompt. A test compares them with the generated page of directives. */
export interface PromptDirective {
  word: string;
  capability: 'video, image' | 'image' | 'text' | 'speech' | 'realtime';
  /** The vendor call it affects. */
  call: string;
  times: string;
  effect: string;
  /** How a Sluice task with this directive ends. */
  ending: string;
}

/** Case-insensitive. */
export function hasWord(text: string, { word }: PromptDirective): boolean {
  return text.toLowerCase().includes(word);
}

const DECIMAL = String.raw`\d{1,6}(?:\.\d{1,3})?`;

/** The N of `[name:N]`. */
export function numberIn(text: string, name: string, digits = DECIMAL): number | undefined {
  const number = new RegExp(String.raw`\[${name}:(${digits})\]`, 'i').exec(text)?.[1];
  return number === undefined ? undefined : Number(number);
}
