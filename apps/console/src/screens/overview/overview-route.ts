import { createLazyRoute } from '@tanstack/react-router';
import { Overview } from './overview.tsx';

export const Route = createLazyRoute('/')({ component: Overview });
