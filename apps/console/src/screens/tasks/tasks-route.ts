import { createLazyRoute } from '@tanstack/react-router';
import { Tasks } from './tasks.tsx';

export const Route = createLazyRoute('/tasks')({ component: Tasks });
