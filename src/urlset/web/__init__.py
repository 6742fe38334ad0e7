"""What websites say in robots.txt, llms.txt, and HTML, and what follows for a page and a crawler."""
