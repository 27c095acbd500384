import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { FormEvent, ReactElement } from 'react';
import { apiUrl } from '../../api/client.ts';
import { CONSOLE_PATH } from '../../lib/base-path.ts';
import { showSession, signIn, signInQuery } from '../../api/session.ts';

/** Results of a sign-in with OIDC, which the server adds to the address. */
const PROBLEMS: Readonly<Record<string, string>> = {
  no_role: 'Your account has no role in Sluice. Ask an operator to give a role to one of your groups.',
  denied: 'The provider refused the sign-in.',
  expired: 'The sign-in took too long, or began in another window. Sign in again.',
  failed: 'The sign-in failed. Sign in again. If it fails again, the log of Sluice has the reason.',
  provider_unavailable: 'The sign-in provider does not respond. Try again later, or sign in with a key.',
  rate_limited: 'Too many attempts to sign in. Retry in a minute.',
  unavailable: 'Sluice cannot open sessions now, because Redis does not respond. Try again later.',
};

/** The only screen without a session. */
export default function SignIn(): ReactElement {
  const client = useQueryClient();
  const methods = useQuery(signInQuery);
  const oidcProblem = new URLSearchParams(location.search).get('sign_in') ?? '';
  const attempt = useMutation({
    mutationFn: signIn,
    onSuccess: (session) => showSession(client, session),
  });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const key = new FormData(event.currentTarget).get('key');
    if (typeof key === 'string' && key.trim() !== '') attempt.mutate(key.trim());
  };
  return (
    <main className="flex min-h-dvh items-center justify-center p-4">
      <form onSubmit={submit} className="panel w-full max-w-sm p-7 shadow-sm" aria-labelledby="title">
        <img src="./icon.svg" alt="" className="mb-5 size-10" />
        <h1 id="title" className="text-xl font-semibold tracking-tight">
          Sign in to Sluice
        </h1>
        <p className="mt-1.5 mb-5 text-muted">
          With an API key, you see its requests, usage, and cost. With the admin key, you see those of all keys.
        </p>
        <label htmlFor="key" className="mb-1.5 block font-medium">
          Key
        </label>
        <input
          id="key"
          name="key"
          type="password"
          autoComplete="current-password"
          autoFocus
          required
          className="field h-10 w-full font-mono"
          aria-describedby="problem"
          aria-invalid={attempt.isError}
        />
        <p id="problem" role="alert" className="mt-2 min-h-5 text-bad">
          {attempt.error?.message ?? (attempt.isIdle && PROBLEMS[oidcProblem])}
        </p>
        <button type="submit" className="button button-primary mt-2 h-10 w-full" disabled={attempt.isPending}>
          {attempt.isPending ? 'Signing in…' : 'Sign in'}
        </button>
        {methods.data?.oidc && (
          <a
            href={apiUrl('/console/api/oidc', { to: openedPage() }).href}
            className="button mt-3 flex h-10 w-full justify-center"
          >
            Sign in with {methods.data.oidc.name}
          </a>
        )}
        <p className="mt-5 text-xs text-muted">The key is exchanged for a session. The browser does not store it.</p>
      </form>
    </main>
  );
}

/** The page that the user opened, to return to it after the sign-in at the provider. */
function openedPage(): string {
  const query = new URLSearchParams(location.search);
  query.delete('sign_in');
  return `${location.pathname.slice(CONSOLE_PATH.length)}${query.size > 0 ? `?${query.toString()}` : ''}`;
}
