import { createLazyRoute } from '@tanstack/react-router';
import { Groups } from './groups.tsx';

export const Route = createLazyRoute('/groups')({ component: Groups });
