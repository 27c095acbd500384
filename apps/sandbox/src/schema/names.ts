type Split<Text extends string> = Text extends `${infer First} ${infer Rest}` ? [First, ...Split<Rest>] : [Text];

/** Splits a list of names at its spaces, for long lists of literals. */
export function names<const Text extends string>(text: Text): Split<Text> {
  // Both split at each space.
  return text.split(' ') as Split<Text>;
}
