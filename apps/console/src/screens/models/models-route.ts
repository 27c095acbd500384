import { createLazyRoute } from '@tanstack/react-router';
import { Models } from './models.tsx';

export const Route = createLazyRoute('/models')({ component: Models });
