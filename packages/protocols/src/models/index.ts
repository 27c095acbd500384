export { encodeModel, encodeModelList, type ListedModel } from './encode-models.ts';
export { modelsEndpoints, type ModelsProtocols } from './endpoints.ts';
export { modelListStyle, type ModelListStyle } from './model-list-style.ts';
export { decodeModelPaging, modelPage, type ModelPage, type ModelPaging } from './model-page.ts';
