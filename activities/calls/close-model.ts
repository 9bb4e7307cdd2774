import { pageStopped } from '../runs/page-control.ts';
import type { ProviderFault } from '../providers/provider.ts';
import type { RunPage } from '../runs/opened/run.ts';
import type { AskedModel } from './asked-model.ts';

/** The run asks this model no more. Returns the error that ends its page. */
export async function closeModel(page: RunPage, model: AskedModel, fault: ProviderFault): Promise<Error> {
  const detail = `${model.id}: ${fault.message} (${model.specPlace(fault.specField)})`;
  await page.run.ledger.setStop(page.model, 'model_stopped', detail);
  return pageStopped(page, 'model_stopped', detail);
}
