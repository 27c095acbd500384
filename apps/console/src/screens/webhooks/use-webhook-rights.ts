import { isOperator, useSession } from '../../app/use-session.ts';

export interface WebhookRights {
  /** Whether the screen shows the webhooks of all keys. */
  all: boolean;
  /** Whether the user owns the webhooks: adds, changes, and tests them. */
  isOwner: boolean;
  /** Whether the user rotates secrets, and deletes webhooks. */
  canChange: boolean;
  canResend: boolean;
}

/** The actions of the user's role. */
export function useWebhookRights(): WebhookRights {
  const session = useSession();
  const { role } = session;
  const isOwner = role === 'holder';
  return {
    all: isOperator(session),
    isOwner,
    canChange: isOwner || role === 'admin',
    canResend: role !== 'viewer',
  };
}
