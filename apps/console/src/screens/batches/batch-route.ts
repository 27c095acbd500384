import { createLazyRoute } from '@tanstack/react-router';
import { BatchPage } from './batch-page.tsx';

export const Route = createLazyRoute('/batches/$id')({ component: BatchPage });
