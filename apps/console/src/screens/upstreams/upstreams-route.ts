import { createLazyRoute } from '@tanstack/react-router';
import { Upstreams } from './upstreams.tsx';

export const Route = createLazyRoute('/upstreams')({ component: Upstreams });
