type Split<Text extends string> = Text extends `${infer First} ${infer Rest}` ? [First, ...Split<Rest>] : [Text];

/** Splits a list of names at its spaces. This keeps long lists of literals short. */
export function names<const Text extends string>(text: Text): Split<Text> {
  // `Split` and `split` both split at every space.
  return text.split(' ') as Split<Text>;
}
