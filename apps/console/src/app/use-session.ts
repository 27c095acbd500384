import { createContext, useContext } from 'react';
import type { Session } from '../api/session.ts';

export const SessionContext = createContext<Session | undefined>(undefined);

/** The session of the user. @throws outside of the signed-in part of the console */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('There is no session.');
  return session;
}

/** Whether the user can read the data of all keys. */
export function isOperator({ role }: Pick<Session, 'role'>): boolean {
  return role !== 'holder';
}
