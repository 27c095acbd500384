import { GatewayError } from '@sluice/canonical';

/** A type by name, the members of an object, or the elements of an array. Absent and null values always pass. */
export type Kinds = 'string' | 'number' | 'object' | { readonly [member: string]: Kinds } | readonly [element: Kinds];

/**
 * Checks the inner types of a translated request, where a wrong type would be lost silently.
 * @throws GatewayError `invalid_request` naming the first invalid field
 */
export function expectKinds(value: unknown, kinds: Kinds, param: string): void {
  if (value === undefined || value === null) return;
  if (kinds === 'string' || kinds === 'number') {
    if (typeof value !== kinds) throw wrongKind(param, `a ${kinds}`);
    return;
  }
  if (isList(kinds)) {
    if (!Array.isArray(value)) throw wrongKind(param, 'an array');
    for (const [index, element] of value.entries()) expectKinds(element, kinds[0], `${param}[${index}]`);
    return;
  }
  if (typeof value !== 'object' || Array.isArray(value)) throw wrongKind(param, 'an object');
  if (kinds === 'object') return;
  for (const [member, inner] of Object.entries(kinds)) {
    expectKinds(Reflect.get(value, member), inner, param === '' ? member : `${param}[${member}]`);
  }
}

function isList(kinds: Kinds): kinds is readonly [element: Kinds] {
  return Array.isArray(kinds);
}

function wrongKind(param: string, kind: string): GatewayError {
  return new GatewayError('invalid_request', `${param} must be ${kind}.`, { param });
}
