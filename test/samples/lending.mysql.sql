-- A lending library on MySQL, as the schema of a teaching database is dumped.
CREATE TABLE `language` (
  `language_id` tinyint unsigned NOT NULL AUTO_INCREMENT,
  `name` char(20) NOT NULL,
  `last_update` timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP,
  PRIMARY KEY (`language_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COMMENT='What a title is in; PARTITION BY no one';
CREATE TABLE `title` (
  `title_id` smallint unsigned NOT NULL AUTO_INCREMENT,
  `name` varchar(128) NOT NULL,
  `about` text,
  `published` year DEFAULT NULL,
  `language_id` tinyint unsigned NOT NULL,
  `weeks` tinyint unsigned NOT NULL DEFAULT '3',
  `fee` decimal(4,2) NOT NULL DEFAULT '4.99',
  `pages` smallint unsigned DEFAULT NULL,
  `age` enum('all','12','adult') DEFAULT 'all',
  `features` set('maps','index','pictures') DEFAULT NULL,
  `cover` mediumblob,
  `facts` json DEFAULT NULL,
  `flags` bit(4) NOT NULL DEFAULT b'0',
  `sort_name` varchar(128) GENERATED ALWAYS AS (lower(`name`)) STORED,
  `per_week` decimal(10,2) GENERATED ALWAYS AS ((`fee` / `weeks`)) VIRTUAL,
  `shelf_code` varchar(36) DEFAULT (concat('s-', uuid())),
  `hidden_note` varchar(50) DEFAULT NULL INVISIBLE,
  PRIMARY KEY (`title_id`),
  UNIQUE KEY `name_once` (`name`,`published`),
  KEY `fk_language` (`language_id`),
  KEY `about_start` (`about`(20)),
  KEY `sorted` (`sort_name`),
  KEY `by_flags` (`flags`),
  KEY `lowered` ((lower(`name`))),
  FULLTEXT KEY `words` (`name`,`about`),
  CONSTRAINT `title_language` FOREIGN KEY (`language_id`) REFERENCES `language` (`language_id`) ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT `fee_fits` CHECK (`fee` between 0 and 99),
  CONSTRAINT `pages_some` CHECK (`pages` > 0) NOT ENFORCED
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;
-- A branch has a head, who works in a branch.
CREATE TABLE `branch` (
  `branch_id` int NOT NULL AUTO_INCREMENT,
  `head_id` int NOT NULL,
  `town` varchar(50) CHARACTER SET latin1 NOT NULL,
  `place` geometry NOT NULL SRID 0,
  PRIMARY KEY (`branch_id`),
  KEY `head` (`head_id`),
  SPATIAL KEY `place` (`place`)
) ENGINE=InnoDB;
CREATE TABLE `staff` (
  `staff_id` int NOT NULL AUTO_INCREMENT,
  `branch_id` int NOT NULL,
  `name` varchar(45) NOT NULL,
  `active` tinyint(1) NOT NULL DEFAULT '1',
  `password` varchar(40) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  PRIMARY KEY (`staff_id`),
  KEY `works_in` (`branch_id`),
  CONSTRAINT `staff_branch` FOREIGN KEY (`branch_id`) REFERENCES `branch` (`branch_id`) ON UPDATE CASCADE
) ENGINE=InnoDB;
ALTER TABLE `branch` ADD CONSTRAINT `branch_head` FOREIGN KEY (`head_id`) REFERENCES `staff` (`staff_id`);
CREATE TABLE `Reader` (
  `ReaderId` bigint unsigned NOT NULL AUTO_INCREMENT,
  `branch_id` int NOT NULL,
  `fullName` varchar(90) NOT NULL,
  `mail` varchar(150) NOT NULL,
  `balance` double NOT NULL DEFAULT '0',
  `joined` datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
  PRIMARY KEY (`ReaderId`),
  UNIQUE KEY `mail` (`mail`),
  CONSTRAINT `reader_branch` FOREIGN KEY (`branch_id`) REFERENCES `branch` (`branch_id`)
) ENGINE=InnoDB AUTO_INCREMENT=100;
CREATE TABLE `copy` (
  `branch_id` int NOT NULL,
  `number` int NOT NULL,
  `title_id` smallint unsigned NOT NULL,
  `state` varchar(10) NOT NULL DEFAULT 'in',
  PRIMARY KEY (`branch_id`,`number`),
  CONSTRAINT `copy_branch` FOREIGN KEY (`branch_id`) REFERENCES `branch` (`branch_id`),
  CONSTRAINT `copy_title` FOREIGN KEY (`title_id`) REFERENCES `title` (`title_id`)
) ENGINE=InnoDB;
CREATE TABLE `loan` (
  `loan_id` int NOT NULL AUTO_INCREMENT,
  `branch_id` int NOT NULL,
  `number` int NOT NULL,
  `reader_id` bigint unsigned NOT NULL,
  `lent` datetime NOT NULL DEFAULT CURRENT_TIMESTAMP,
  `returned` datetime DEFAULT NULL,
  PRIMARY KEY (`loan_id`),
  KEY `open` (`reader_id`,`returned` DESC),
  CONSTRAINT `loan_copy` FOREIGN KEY (`branch_id`, `number`) REFERENCES `copy` (`branch_id`, `number`),
  CONSTRAINT `loan_reader` FOREIGN KEY (`reader_id`) REFERENCES `Reader` (`ReaderId`) ON DELETE CASCADE
) ENGINE=InnoDB;
CREATE TABLE `visit` (
  `visit_id` int NOT NULL,
  `day` date NOT NULL,
  `code` int(4) unsigned zerofill NOT NULL DEFAULT '7',
  PRIMARY KEY (`visit_id`,`day`)
) ENGINE=InnoDB
PARTITION BY RANGE (year(`day`)) (PARTITION old VALUES LESS THAN (2026), PARTITION rest VALUES LESS THAN MAXVALUE);
CREATE VIEW `open_loan` AS SELECT `loan_id`, `reader_id`, `lent` FROM `loan` WHERE `returned` IS NULL;
CREATE VIEW `debt` AS
  SELECT r.`ReaderId`, r.`fullName`, COUNT(*) AS `open` FROM `Reader` r JOIN `open_loan` o ON o.`reader_id` = r.`ReaderId` GROUP BY r.`ReaderId`, r.`fullName`;
CREATE ALGORITHM=MERGE SQL SECURITY INVOKER VIEW `cheap` AS SELECT `title_id`, `fee` FROM `title` WHERE `fee` < 2 WITH CASCADED CHECK OPTION;
CREATE VIEW `title_list` AS SELECT t.`title_id`, GROUP_CONCAT(l.`name`) AS `languages` FROM `title` t JOIN `language` l USING (`language_id`) GROUP BY t.`title_id`;
CREATE TRIGGER `lower_mail` BEFORE INSERT ON `Reader` FOR EACH ROW SET NEW.mail = LOWER(NEW.mail);
CREATE FUNCTION `open_of`(who BIGINT) RETURNS INT READS SQL DATA RETURN (SELECT COUNT(*) FROM `loan` WHERE `reader_id` = who AND `returned` IS NULL);
CREATE PROCEDURE `give_back`(IN what INT) UPDATE `loan` SET `returned` = NOW() WHERE `loan_id` = what;
CREATE EVENT `nightly` ON SCHEDULE EVERY 1 DAY DO DELETE FROM `visit` WHERE `day` < CURRENT_DATE;
