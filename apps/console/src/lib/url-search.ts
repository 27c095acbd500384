import { LABEL } from './label.ts';

/** Filters of a screen, as they are in the URL. */
export type Filters = Readonly<Record<string, string>>;

/** Plain text, unlike the router's default, so that `?status=500` stays readable. */
export function parseSearch(search: string): Record<string, string> {
  return Object.fromEntries([...new URLSearchParams(search)].filter(([name, value]) => isValid(name, value)));
}

export function stringifySearch(search: Record<string, unknown>): string {
  const present = Object.entries(search).flatMap(([name, value]) =>
    typeof value === 'string' && value !== '' ? [[name, value]] : [],
  );
  return present.length === 0 ? '' : `?${new URLSearchParams(present).toString()}`;
}

/** The API refuses other labels, so a link with one opens the list without it. */
function isValid(name: string, value: string): boolean {
  return value !== '' && (name !== 'label' || LABEL.test(value));
}

/** Returns a function that keeps only the filters with these names. */
export function pickFilters<N extends string>(names: readonly N[]) {
  return (search: Record<string, unknown>): { [name in N]?: string } => {
    const present = names.filter((name) => typeof search[name] === 'string' && search[name] !== '');
    // The cast is safe because the values were checked.
    return Object.fromEntries(present.map((name) => [name, search[name]])) as { [name in N]?: string };
  };
}
