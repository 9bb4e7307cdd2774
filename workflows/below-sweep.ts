/** What every workflow below a sweep takes over from the one that starts it. */
import { defineSearchAttributeKey, type SearchAttributePair, SearchAttributeType } from '@temporalio/common';
import { executeChild, workflowInfo } from '@temporalio/workflow';
import { searchAttributes } from '../schemas/search-attributes.ts';

const runKey = defineSearchAttributeKey(searchAttributes.run, SearchAttributeType.KEYWORD);
const modelKey = defineSearchAttributeKey(searchAttributes.model, SearchAttributeType.KEYWORD);

/**
 * Runs a workflow with the memo of this one, and with its run and model to search by if the server has these names.
 * @param name ends the workflow's id
 * @param model of a lane; null: that of this workflow, if any
 */
export function below<Result>(workflow: string, name: string, input: object, model: string | null): Promise<Result> {
  const { workflowId, memo, typedSearchAttributes } = workflowInfo();
  const run = typedSearchAttributes.get(runKey);
  const own = model ?? typedSearchAttributes.get(modelKey);
  const attributes: SearchAttributePair[] = run === undefined ? [] : [{ key: runKey, value: run }];
  if (run !== undefined && own !== undefined) attributes.push({ key: modelKey, value: own });
  return executeChild<(input: object) => Promise<Result>>(workflow, {
    workflowId: `${workflowId}/${name}`,
    args: [input],
    memo: { ...memo },
    ...(attributes.length > 0 && { typedSearchAttributes: attributes }),
  });
}
