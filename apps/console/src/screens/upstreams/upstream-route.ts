import { createLazyRoute } from '@tanstack/react-router';
import { UpstreamPage } from './upstream-page.tsx';

export const Route = createLazyRoute('/upstreams/$name')({ component: UpstreamPage });
