/** Temporary credentials, as STS and the metadata services return them. */
export interface IssuedCredentials {
  accessKey: string;
  secret: string;
  token: string;
  /** The reported end, in Unix milliseconds. */
  expiresAt: number;
}

export interface AwsSessions {
  /** @param role the role's name, which can contain directives */
  issue(role: string): IssuedCredentials;
  /** Returns the secret of a session, or undefined if the key and the token do not belong together. */
  secretOf(accessKey: string, token: string | undefined): { secret: string } | 'expired' | undefined;
}

const HOUR_MS = 3_600_000;
const SHORT_MS = 3_000;

/**
 * Remembers temporary credentials. Roles with `short` in their names have credentials for three seconds. Those of roles
 * with `expired` are reported as valid for an hour, and are rejected after the first use.
 */
export function createAwsSessions(now: () => number, newId: () => string): AwsSessions {
  const sessions = new Map<string, IssuedCredentials & { usesLeft: number }>();
  return {
    issue(role) {
      const id = newId();
      const credentials = {
        accessKey: `ASIA${id.slice(0, 16).toUpperCase()}`,
        secret: newId(),
        token: newId(),
        expiresAt: now() + (role.includes('short') ? SHORT_MS : HOUR_MS),
      };
      const usesLeft = role.includes('expired') ? 1 : Number.POSITIVE_INFINITY;
      sessions.set(credentials.accessKey, { ...credentials, usesLeft });
      return credentials;
    },
    secretOf(accessKey, token) {
      const session = sessions.get(accessKey);
      if (!session || session.token !== token) return undefined;
      if (session.expiresAt <= now() || session.usesLeft <= 0) return 'expired';
      session.usesLeft -= 1;
      return { secret: session.secret };
    },
  };
}
