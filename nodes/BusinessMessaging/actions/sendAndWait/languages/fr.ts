/** The page of a question in French. */
export const FRENCH = {
	heading: 'Une question pour vous',
	codeLabel: 'Code du message',
	answerLabel: 'Votre réponse',
	send: 'Envoyer',
	reasonLabel: 'Motif de « [button] » (facultatif)',
	missing: 'Veuillez répondre avant d’envoyer.',
	wrongCode:
		'Ce n’est pas le code de ce message. Saisissez le code du message qui contenait ce lien.',
	thanks: 'Merci\nVotre réponse a été envoyée :',
	close: 'Vous pouvez fermer cette page.',
	answered: 'Déjà répondu\nCette question a déjà reçu une réponse. Seule la première compte.',
	expired:
		'Le délai est écoulé\nIl n’est plus possible de répondre à cette question. Veuillez contacter la personne qui vous l’a envoyée.',
	wrongLink:
		'Aucune question ici\nCe lien est incomplet ou appartient à une question précédente. Veuillez ouvrir le lien du message le plus récent.',
	notStored:
		'Votre réponse n’a pas été enregistrée\nLa question a reçu une réponse au même moment, ou un problème est survenu. Veuillez rouvrir le lien dans une minute.',
	toolValues: 'Valeurs pour l’outil [tool] : [count]',
	more: 'encore [count] caractères',
	willSend: 'Ce qui sera envoyé',
	customerReads: 'Ce que le client lira',
	computedLater: 'Ce qui est entre doubles accolades est calculé à l’exécution de l’outil.',
};
