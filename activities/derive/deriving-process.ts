/**
 * A process that derives the tables of one large run: in the worker they would add to the memory that the sweep left,
 * and keep its event loop from its heartbeats.
 */
import { answerOrders } from '../apart/answer-orders.ts';
import { derivedTables } from './derived-tables.ts';

answerOrders(derivedTables);
