import type { IDataObject } from 'n8n-workflow';

/** What the page asks. */
export interface Question {
	kind: 'approval' | 'answers' | 'freeText';
	text: string;
	/** What the buttons say, in their order; of an approval the first one approves. None for a free text. */
	choices: string[];
	/** Whether somebody who declines is asked why. */
	asksReason: boolean;
}

/** A question that was sent. It lies in the execution's context of the node, which n8n stores. */
export interface Asked {
	/** From 1. In a loop the node asks again, and a link of an earlier round must not answer. */
	round: number;
	question: Question;
	/** Epoch ms; an answer that comes later does not count. */
	until: number;
	/** What became of the message, as Send Template puts it out. */
	message: IDataObject;
	isReview: boolean;
}
