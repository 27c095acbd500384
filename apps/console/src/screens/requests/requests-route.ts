import { createLazyRoute } from '@tanstack/react-router';
import { Requests } from './requests.tsx';

export const Route = createLazyRoute('/requests')({ component: Requests });
