import { createLazyRoute } from '@tanstack/react-router';
import { KeyPage } from './key-page.tsx';

export const Route = createLazyRoute('/keys/$id')({ component: KeyPage });
