import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useSession } from '../app/use-session.ts';

/** The next step of an empty screen, for roles that can call models. */
export function PlaygroundLink({ mode }: { mode: 'chat' | 'video' }): ReactElement | null {
  const { role } = useSession();
  if (role !== 'admin' && role !== 'holder') return null;
  return (
    <Link to="/playground" search={mode === 'chat' ? {} : { mode }} className="button text-text">
      Open the playground
    </Link>
  );
}
