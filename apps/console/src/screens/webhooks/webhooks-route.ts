import { createLazyRoute } from '@tanstack/react-router';
import { Webhooks } from './webhooks.tsx';

export const Route = createLazyRoute('/webhooks')({ component: Webhooks });
