import { createLazyRoute } from '@tanstack/react-router';
import { Batches } from './batches.tsx';

export const Route = createLazyRoute('/batches')({ component: Batches });
