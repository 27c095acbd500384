import { createLazyRoute } from '@tanstack/react-router';
import { Usage } from './usage.tsx';

export const Route = createLazyRoute('/usage')({ component: Usage });
