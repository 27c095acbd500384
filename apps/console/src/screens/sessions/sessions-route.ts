import { createLazyRoute } from '@tanstack/react-router';
import { Sessions } from './sessions.tsx';

export const Route = createLazyRoute('/sessions')({ component: Sessions });
