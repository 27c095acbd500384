import { createLazyRoute } from '@tanstack/react-router';
import { Keys } from './keys.tsx';

export const Route = createLazyRoute('/keys')({ component: Keys });
