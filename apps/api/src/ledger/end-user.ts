import { createHmac } from 'node:crypto';
import type { TextRequest } from '@sluice/protocols';

export type EndUsers = 'hash' | 'plain' | 'off';

/** Returns an end user as the ledger names it, or undefined if the ledger does not name end users. */
export type NameEndUser = (user: string) => string | undefined;

/** Maximum length of an end user that is not hashed. */
const MAX_LENGTH = 256;
/** Length of a hash in hexadecimal digits, enough to make collisions impossible in practice. */
const HASH_DIGITS = 32;
/** Many clients send the same few users, and a hash costs as much as the rest of an entry. */
const MAX_CACHED = 1_000;

/** @param secret the deployment's secret, without which a hash cannot be guessed from a list of users */
export function endUserNames(mode: EndUsers, secret: string): NameEndUser {
  if (mode === 'off') return () => undefined;
  if (mode === 'plain') return (user) => user.slice(0, MAX_LENGTH);
  const known = new Map<string, string>();
  return (user) => {
    let hash = known.get(user);
    if (hash === undefined) {
      hash = createHmac('sha256', secret).update(`end user ${user}`).digest('hex').slice(0, HASH_DIGITS);
      if (known.size >= MAX_CACHED) known.clear();
      if (user.length <= MAX_LENGTH) known.set(user, hash);
    }
    return hash;
  };
}

/** Returns the end user that a text request names. */
export function endUserOf({
  protocol,
  members,
  member,
}: Pick<TextRequest, 'protocol' | 'members' | 'member'>): unknown {
  if (protocol.name === 'messages') {
    const metadata = members.has('metadata') ? member('metadata') : undefined;
    return typeof metadata === 'object' && metadata !== null && 'user_id' in metadata ? metadata.user_id : undefined;
  }
  if (members.has('safety_identifier')) return member('safety_identifier');
  return members.has('user') ? member('user') : undefined;
}

/** Returns the end user that the fields of any other request name. */
export function endUserOfFields(fields: unknown): unknown {
  const { safety_identifier: identifier, user } = (fields ?? {}) as Record<string, unknown>;
  return identifier ?? user;
}
