import { createLazyRoute } from '@tanstack/react-router';
import { Playground } from './playground.tsx';

export const Route = createLazyRoute('/playground')({ component: Playground });
