import { createLazyRoute } from '@tanstack/react-router';
import { Setup } from './setup.tsx';

export const Route = createLazyRoute('/setup')({ component: Setup });
