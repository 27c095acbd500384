import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { FormEvent, ReactElement } from 'react';
import { sessionQuery, signIn } from '../../api/session.ts';

/** The only screen without a session. */
export default function SignIn(): ReactElement {
  const client = useQueryClient();
  const attempt = useMutation({
    mutationFn: signIn,
    onSuccess: (session) => client.setQueryData(sessionQuery.queryKey, session),
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
          {attempt.error?.message}
        </p>
        <button type="submit" className="button button-primary mt-2 h-10 w-full" disabled={attempt.isPending}>
          {attempt.isPending ? 'Signing in…' : 'Sign in'}
        </button>
        <p className="mt-5 text-xs text-muted">
          The key is exchanged for a session of 12 hours. The browser does not store it.
        </p>
      </form>
    </main>
  );
}
