import type { LinkProps } from '@tanstack/react-router';

/** Returns the link to a key. Undefined for the name of a console session, such as `console:admin`, which is no key. */
export function keyLink(name: string): Pick<LinkProps, 'to' | 'params'> | undefined {
  return name.includes(':') ? undefined : { to: '/keys/$id', params: { id: name } };
}
