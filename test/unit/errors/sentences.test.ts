import { joinSentences } from '../../../nodes/BusinessMessaging/errors/sentences';

it('what is missing or blank is no sentence', () => {
	expect(joinSentences('One', undefined, '', false, ' \n', 'Two.')).toBe('One. Two.');
});
