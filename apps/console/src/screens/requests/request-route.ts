import { createLazyRoute } from '@tanstack/react-router';
import { RequestPage } from './request-page.tsx';

export const Route = createLazyRoute('/requests/$id')({ component: RequestPage });
