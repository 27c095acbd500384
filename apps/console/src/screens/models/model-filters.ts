import type { ModelRoute, RoutedModel } from '../../api/models.ts';
import type { FilterField } from '../../components/filter-bar.tsx';

/** Parameters in the URL. `show` is the model whose page is open. Ids can contain `/`, which proxies decode in paths. */
export const MODEL_PARAMS = ['name', 'kind', 'upstream', 'price', 'show'] as const;

export type ModelSearch = { [name in (typeof MODEL_PARAMS)[number]]?: string };

/** Values of the filter of prices, in plain words. */
const PRICE_STATUSES: Readonly<Record<ModelRoute['price_status'], string>> = {
  config: 'configured',
  catalog: 'catalog',
  unpriced: 'no price',
  depends_on_model: 'depends on model',
};

export function modelFields(models: readonly RoutedModel[]): readonly FilterField[] {
  const kinds = models.flatMap(({ operations }) => operations);
  const upstreams = models.flatMap(({ routes }) => routes.map(({ upstream }) => upstream));
  return [
    { name: 'name', label: 'Name', placeholder: 'Part of a name' },
    { name: 'kind', label: 'Kind', options: [...new Set(kinds)].toSorted() },
    { name: 'upstream', label: 'Upstream', options: [...new Set(upstreams)].toSorted() },
    { name: 'price', label: 'Price', options: Object.values(PRICE_STATUSES) },
  ];
}

/** Returns the models with a route that matches all filters. */
export function matchingModels(
  models: readonly RoutedModel[],
  { name = '', kind, upstream, price }: ModelSearch,
): RoutedModel[] {
  const text = name.toLowerCase();
  return models.filter(
    ({ id, operations, routes }) =>
      (kind === undefined || operations.includes(kind)) &&
      [id, ...routes.map(({ model }) => model)].some((one) => one.toLowerCase().includes(text)) &&
      routes.some(
        (route) =>
          (upstream === undefined || route.upstream === upstream) &&
          (price === undefined || PRICE_STATUSES[route.price_status] === price),
      ),
  );
}
