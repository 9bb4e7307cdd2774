/** Headers of an endpoint's answer that say which machine or model version answered; they are stored with the reply. */

const keptNames = [
  ...['request-id', 'x-amzn-requestid', 'apim-request-id', 'x-generation-id', 'cf-ray'],
  ...['openai-version', 'openai-processing-ms', 'x-model-version', 'azureml-model-session', 'x-ms-deployment-name'],
  ...['x-ms-region', 'x-groq-region', 'x-served-by', 'x-inference-provider', 'via', 'server'],
  ...['x-litellm-call-id', 'x-litellm-model-id', 'x-litellm-model-api-base', 'x-litellm-version'],
];

/** Longer values identify nothing. */
const longestValue = 200;

/** Absent if the endpoint sent none. @param clean removes secrets from a value */
export function keptHeaders(
  headers: Pick<Headers, 'get'>,
  clean: (text: string) => string,
): { readonly headers?: Readonly<Record<string, string>> } {
  const found = keptNames.flatMap((name) => {
    const value = clean(headers.get(name) ?? '').trim();
    return value === '' || value.length > longestValue ? [] : [[name, value] as const];
  });
  return found.length === 0 ? {} : { headers: Object.fromEntries(found) };
}
